// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

// Asks an account whether it accepts a signature. An eth_call without `to` runs the constructor, and
// nothing is deployed: what it returns is the answer, one byte. 1: it accepts. 0: it does not. 2: there is
// no code at its address.
contract Validator {
    constructor(
        address account,
        bytes32 digest,
        bytes memory signature,
        address factory,
        bytes memory factoryCall
    ) {
        // The caller names the factory (ERC-6492), which can do anything: it is never called before an
        // account that exists.
        if (account.code.length == 0 && factory != address(0)) {
            assembly ("memory-safe") {
                pop(call(gas(), factory, 0, add(factoryCall, 32), mload(factoryCall), 0, 0))
            }
        }
        if (account.code.length == 0) answer(2);
        bytes memory question = abi.encodeWithSelector(0x1626ba7e, digest, signature);
        uint256 accepts;
        // Solidity would copy all that is returned, and pay for it with the gas of the answer.
        assembly ("memory-safe") {
            let isAnswered := staticcall(gas(), account, add(question, 32), mload(question), 0, 32)
            let isMagic := and(eq(returndatasize(), 32), eq(mload(0), shl(224, 0x1626ba7e)))
            accepts := and(isAnswered, isMagic)
        }
        answer(accepts);
    }

    function answer(uint256 value) private pure {
        assembly ("memory-safe") {
            mstore8(0, value)
            return(0, 1)
        }
    }
}
