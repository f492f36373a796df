// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

// Contracts that answer every call with junk, as accounts and as factories.

// Returns, or reverts with, any bytes.
contract Answers {
    bytes answer;
    bool isRevert;

    constructor(bytes memory answer_, bool isRevert_) {
        (answer, isRevert) = (answer_, isRevert_);
    }

    fallback() external {
        bytes memory bytes_ = answer;
        bool reverts = isRevert;
        assembly {
            if reverts { revert(add(bytes_, 32), mload(bytes_)) }
            return(add(bytes_, 32), mload(bytes_))
        }
    }
}

// Returns, or reverts with, as many bytes as one says, which begin with the magic.
contract Bomb {
    uint256 immutable size;
    bool immutable reverts;

    constructor(uint256 size_, bool reverts_) {
        (size, reverts) = (size_, reverts_);
    }

    fallback() external {
        (uint256 length, bool isRevert) = (size, reverts);
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            if isRevert { revert(0, length) }
            return(0, length)
        }
    }
}

contract Loop {
    fallback() external {
        assembly { for {} 1 {} {} }
    }
}

contract InvalidOpcode {
    fallback() external {
        assembly { invalid() }
    }
}

contract SelfDestruct {
    fallback() external {
        assembly { selfdestruct(caller()) }
    }
}

contract CallsItself {
    fallback() external {
        assembly {
            calldatacopy(0, 0, calldatasize())
            if iszero(call(gas(), address(), 0, 0, calldatasize(), 0, 0)) { revert(0, 0) }
        }
    }
}

// Accepts everything if its state can change in the call.
contract CountsCalls {
    uint256 calls;

    fallback() external {
        calls++;
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 32)
        }
    }
}

// Accepts everything in a call that names no sender, as wallets do to estimate gas.
contract TrustsOriginZero {
    fallback() external {
        require(tx.origin == address(0));
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 32)
        }
    }
}

// Creates what follows its two words, the salt and the gas that it leaves: it uses up the rest.
contract GreedyFactory {
    fallback() external {
        assembly {
            let size := sub(calldatasize(), 64)
            calldatacopy(0, 64, size)
            pop(create2(0, 0, size, calldataload(0)))
            let left := calldataload(32)
            for {} gt(gas(), add(left, 50000)) {} { log0(0, 4096) }
            for {} gt(gas(), left) {} {}
        }
    }
}
