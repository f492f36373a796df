// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

// Smart accounts of the kinds that players have. Nobody checks who changes one: they are for tests.

abstract contract Account {
    bytes4 constant YES = 0x1626ba7e;

    // What the owners sign, as in Safe and in ERC-7739: with the account and its chain, so that a signature
    // for one account is of no use at another account of the same owners.
    function ownDigest(bytes32 digest) internal view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), digest));
    }

    function signer(bytes32 digest, bytes calldata signature) internal pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), s);
    }
}

contract OneOwner is Account {
    address owner;

    constructor(address first) {
        owner = first;
    }

    function replace(address next) external {
        owner = next;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        address by = signer(ownDigest(digest), signature);
        return by != address(0) && by == owner ? YES : bytes4(0xffffffff);
    }
}

// To what an account of EIP-7702 delegates: the account's own key signs.
contract OwnKey is Account {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        return signer(ownDigest(digest), signature) == address(this) ? YES : bytes4(0xffffffff);
    }
}

contract AcceptsAnything {
    fallback() external {
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 32)
        }
    }
}

// Creates a contract from the code that follows the salt, where CREATE2 puts it.
contract Factory {
    fallback() external {
        assembly {
            let size := sub(calldatasize(), 32)
            calldatacopy(0, 32, size)
            if iszero(create2(0, 0, size, calldataload(0))) { revert(0, 0) }
        }
    }
}

// Calls what its first 20 bytes name, with what follows: a factory of ERC-6492 that is none, as Multicall3.
contract Forward {
    fallback() external {
        assembly {
            let size := sub(calldatasize(), 20)
            calldatacopy(0, 20, size)
            if iszero(call(gas(), shr(96, calldataload(0)), 0, 0, size, 0, 0)) { revert(0, 0) }
        }
    }
}
