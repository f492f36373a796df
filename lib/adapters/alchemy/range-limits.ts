/**
 * What clients and providers say when `eth_getLogs` asks for too many blocks, or finds too many events, and where each message was
 * found: on GitHub, if it is no URL (D139).
 */
const limits: readonly RegExp[] = [
  // Alchemy: BobTheBuidler/dank_mids#772,
  // https://www.alchemy.com/docs/chains/ethereum/ethereum-api-endpoints/eth-get-logs
  /up to an? [\d,.]+k? block range/i,
  // Alchemy, thirdweb: bancorprotocol/webapp#523, ethers-io/ethers.js#4703
  /log response size exceeded/i,
  // Alchemy: worldcoin/signup-sequencer#274, with the range that should work nimiq/wallet#275
  /query timeout exceeded\. consider reducing your block range/i,
  // Alchemy: ponder-sh/ponder#407
  /response size is larger than \d+MB limit/i,
  // Infura, Aurora, Polygon zkEVM: status-im/nimbus-eth2#1823, aurora-is-near/aurora-relayer#327
  /query returned more than [\d,]+ results/i,
  // Infura: INFURA/infura#237
  /\brange [\d,]+ exceeds limit of [\d,]+/i,
  // QuickNode, BlockPI, 1RPC: OffchainLabs/arbitrum-sdk#609, ethers-io/ethers.js#3612, foundry-rs/foundry#12687
  /eth_getLogs (?:is|and eth_newFilter are) limited to (?:a |0 - )?[\d,]+ (?:blocks? )?range/i,
  // Ankr, Cronos: ponder-sh/ponder#1940
  /maximum \[from, to\] blocks distance: \d+/i,
  // Ankr, Base, Optimism, Polygon, Moonbeam: ponder-sh/ponder packages/utils/src/getLogsRetryHelper.ts,
  // AlphaWallet/alpha-wallet-ios#3734 and #5277, moonbeam-foundation/moonbeam#3250, 0xPolygon/cdk-erigon#1706
  /block range (?:is )?too (?:wide|large|high)/i,
  // BNB Smart Chain, PublicNode: AlphaWallet/alpha-wallet-android#2736, bnb-chain/bsc#113
  /exceed maximum block range: \d+/i,
  // Reth: paradigmxyz/reth crates/rpc/rpc/src/eth/filter.rs
  /query exceeds max block range \d+/i,
  // Reth: paradigmxyz/reth crates/rpc/rpc/src/eth/filter.rs, foundry-rs/foundry#12687
  /query exceeds max results \d+/i,
  // Erigon: erigontech/erigon#19721
  /query block range exceeds server limit/i,
  // Erigon: erigontech/erigon#19721
  /query returns too many logs/i,
  // Nethermind: NethermindEth/nethermind src/Nethermind/Nethermind.JsonRpc/Modules/Eth/EthRpcModule.cs
  /too many logs requested\. max logs per response/i,
  // Besu: hyperledger/besu
  // ethereum/api/src/main/java/org/hyperledger/besu/ethereum/api/jsonrpc/internal/response/RpcErrorType.java
  /requested range exceeds maximum rpc range limit/i,
  // Forks of go-ethereum: scroll-tech/go-ethereum#529, enviodev/hyperindex#605
  /block range is (?:bigger|larger) than max ?block ?range/i,
  // Optimism and others: ethereum-optimism/infra proxyd/backend.go
  /block range greater than \d+ max/i,
  // Optimism, Base: ethereum-optimism/infra proxyd/backend.go
  /backend response too large/i,
  // Arbitrum: ponder-sh/ponder packages/utils/src/_test/arbitrum.test.ts
  /logs matched by query exceeds limit of \d+/i,
  // Avalanche: smartcontractkit/chainlink core/chains/evm/client/errors_test.go
  /requested too many blocks from \d+ to \d+/i,
  // Public nodes of Polygon Amoy, and others, by the code of clients that know it
  /block range exceeds (?:the |configured )?(?:limits?\b|\d)/i,
  // Chainstack: ponder-sh/ponder packages/utils/src/_test/chainstack.test.ts
  /block range limit exceeded/i,
  // dRPC: foundry-rs/foundry#12687
  /ranges over [\d,]+ blocks are not supported/i,
  // thirdweb, SKALE: ponder-sh/ponder packages/utils/src/_test/thirdweb.test.ts
  /maximum allowed number of requested blocks is \d+/i,
  // Coinbase: ponder-sh/ponder packages/utils/src/_test/coinbase.test.ts
  /limit the query to at most [\d,]+ blocks/i,
  // Merkle: foundry-rs/foundry#12687
  /eth_getLogs range is too large, max is/i,
]

/** Whether a message of a node says that a range is too large, or has too many events; no other message does (D139). */
export const isRangeLimit = (message: string): boolean =>
  limits.some((pattern) => pattern.test(message))
