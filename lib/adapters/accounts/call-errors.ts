import { unverified } from '../../json/unverified.ts'

/**
 * What clients and providers say of an `eth_call` whose execution fails, and where each message was found: on GitHub, if it is no URL.
 * Codes say little: an out of gas is -32000 or -32003, and a lost node can be -32000 too. A reason that a contract gives comes after
 * the message, so messages count from their beginning.
 */
const shapes: readonly RegExp[] = [
  // go-ethereum, Erigon, Besu, Reth, Nethermind (with -32000): ethereum/go-ethereum core/vm/errors.go, wevm/viem#4092
  /^execution reverted\b/i,
  // go-ethereum, Nethermind, Reth, Alchemy, Anvil, Besu: ethereum/go-ethereum core/vm/errors.go,
  // NethermindEth/nethermind#12166, paradigmxyz/reth#1725, hyperledger/besu
  // evm/src/main/java/org/hyperledger/besu/evm/frame/ExceptionalHaltReason.java
  /^out of gas\b/i,
  // go-ethereum: ethereum/go-ethereum core/vm/errors.go
  /^(?:contract creation code storage out of gas|gas uint64 overflow)\b/,
  // go-ethereum, Erigon: ethereum/go-ethereum core/vm/errors.go, graphprotocol/graph-node#1744
  /^invalid opcode\b/i,
  // OpenEthereum, Besu: graphprotocol/graph-node chain/ethereum/src/call_helper.rs, hyperledger/besu
  // ExceptionalHaltReason.java
  /^bad instruction\b/i,
  // go-ethereum, Besu, OpenEthereum: ethereum/go-ethereum core/vm/errors.go, hyperledger/besu
  // ExceptionalHaltReason.java
  /^(?:invalid|bad) jump\b/i,
  // go-ethereum, Nethermind, Besu, OpenEthereum: ethereum/go-ethereum core/vm/errors.go, NethermindEth/nethermind#12166
  /^(?:stack underflow|stack limit reached|out of stack)\b/i,
  // go-ethereum, Erigon, Reth: ethereum/go-ethereum core/vm/errors.go and core/error.go
  /^(?:err: )?max (?:code|initcode) size exceeded\b/,
  // Besu, go-ethereum: hyperledger/besu ExceptionalHaltReason.java, ethereum/go-ethereum core/vm/errors.go
  /^(?:code is (?:too large|invalid)|invalid code)\b/i,
  // go-ethereum, Besu: ethereum/go-ethereum core/vm/errors.go, hyperledger/besu ExceptionalHaltReason.java
  /^(?:write protection|illegal state change|return data out of bounds|out of bounds|max call depth exceeded|contract address collision)\b/i,
  // Reth, Anvil: paradigmxyz/reth crates/rpc/rpc-eth-types/src/error/mod.rs, streamingfast/eth-go#10
  /^EVM error:? \(?(?:OutOfGas|OpcodeNotFound|Invalid(?:FEOpcode|Jump)|NotActivated|Stack(?:Under|Over)flow|OutOfOffset|CreateCollision|Create(?:ContractSizeLimit|ContractStartingWithEF|InitCodeSizeLimit)|StateChangeDuringStaticCall|CallTooDeep)/,
  // OpenEthereum, Nethermind (-32015): NethermindEth/nethermind#2718, cowprotocol/watch-tower#11
  /^VM execution error/i,
  // Ganache, Hardhat, Moonbeam, Nethermind: NethermindEth/nethermind#727, graphprotocol/graph-node
  // chain/ethereum/src/call_helper.rs
  /^(?:error: )?(?:VM exception while processing transaction|transaction reverted)\b/i,
]

/** The code of a revert, whatever its message is: ethereum/go-ethereum internal/ethapi/errors.go. */
const revertCode = 3

/** Whether an error of JSON-RPC says that the execution of the call has failed; nothing else does. */
export function isOfExecution(error: unknown): boolean {
  const { code, message } = unverified(error)
  return code === revertCode || shapes.some((pattern) => pattern.test(`${message}`))
}
