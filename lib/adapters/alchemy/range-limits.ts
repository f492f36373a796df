/**
 * What clients and providers say when `eth_getLogs` asks for too many blocks, or finds too many events, and where each message was
 * found: on GitHub, if it is no URL (D139).
 */
const limits: readonly (readonly [message: RegExp, source: string])[] = [
  [
    /up to an? [\d,.]+k? block range/i,
    'Alchemy: BobTheBuidler/dank_mids#772, https://www.alchemy.com/docs/chains/ethereum/ethereum-api-endpoints/eth-get-logs',
  ],
  [
    /log response size exceeded/i,
    'Alchemy, thirdweb: bancorprotocol/webapp#523, ethers-io/ethers.js#4703',
  ],
  [
    /query timeout exceeded\. consider reducing your block range/i,
    'Alchemy: worldcoin/signup-sequencer#274, with the range that should work nimiq/wallet#275',
  ],
  [/response size is larger than \d+MB limit/i, 'Alchemy: ponder-sh/ponder#407'],
  [
    /query returned more than [\d,]+ results/i,
    'Infura, Aurora, Polygon zkEVM: status-im/nimbus-eth2#1823, aurora-is-near/aurora-relayer#327',
  ],
  [/\brange [\d,]+ exceeds limit of [\d,]+/i, 'Infura: INFURA/infura#237'],
  [
    /eth_getLogs (?:is|and eth_newFilter are) limited to (?:a |0 - )?[\d,]+ (?:blocks? )?range/i,
    'QuickNode, BlockPI, 1RPC: OffchainLabs/arbitrum-sdk#609, ethers-io/ethers.js#3612, foundry-rs/foundry#12687',
  ],
  [/maximum \[from, to\] blocks distance: \d+/i, 'Ankr, Cronos: ponder-sh/ponder#1940'],
  [
    /block range (?:is )?too (?:wide|large|high)/i,
    'Ankr, Base, Optimism, Polygon, Moonbeam: ponder-sh/ponder packages/utils/src/getLogsRetryHelper.ts, AlphaWallet/alpha-wallet-ios#3734 and #5277, moonbeam-foundation/moonbeam#3250, 0xPolygon/cdk-erigon#1706',
  ],
  [
    /exceed maximum block range: \d+/i,
    'BNB Smart Chain, PublicNode: AlphaWallet/alpha-wallet-android#2736, bnb-chain/bsc#113',
  ],
  [/query exceeds max block range \d+/i, 'Reth: paradigmxyz/reth crates/rpc/rpc/src/eth/filter.rs'],
  [
    /query exceeds max results \d+/i,
    'Reth: paradigmxyz/reth crates/rpc/rpc/src/eth/filter.rs, foundry-rs/foundry#12687',
  ],
  [/query block range exceeds server limit/i, 'Erigon: erigontech/erigon#19721'],
  [/query returns too many logs/i, 'Erigon: erigontech/erigon#19721'],
  [
    /too many logs requested\. max logs per response/i,
    'Nethermind: NethermindEth/nethermind src/Nethermind/Nethermind.JsonRpc/Modules/Eth/EthRpcModule.cs',
  ],
  [
    /requested range exceeds maximum rpc range limit/i,
    'Besu: hyperledger/besu ethereum/api/src/main/java/org/hyperledger/besu/ethereum/api/jsonrpc/internal/response/RpcErrorType.java',
  ],
  [
    /block range is (?:bigger|larger) than max ?block ?range/i,
    'Forks of go-ethereum: scroll-tech/go-ethereum#529, enviodev/hyperindex#605',
  ],
  [
    /block range greater than \d+ max/i,
    'Optimism and others: ethereum-optimism/infra proxyd/backend.go',
  ],
  [/backend response too large/i, 'Optimism, Base: ethereum-optimism/infra proxyd/backend.go'],
  [
    /logs matched by query exceeds limit of \d+/i,
    'Arbitrum: ponder-sh/ponder packages/utils/src/_test/arbitrum.test.ts',
  ],
  [
    /requested too many blocks from \d+ to \d+/i,
    'Avalanche: smartcontractkit/chainlink core/chains/evm/client/errors_test.go',
  ],
  [
    /block range exceeds (?:the |configured )?(?:limits?\b|\d)/i,
    'Public nodes of Polygon Amoy, and others, by the code of clients that know it',
  ],
  [
    /block range limit exceeded/i,
    'Chainstack: ponder-sh/ponder packages/utils/src/_test/chainstack.test.ts',
  ],
  [/ranges over [\d,]+ blocks are not supported/i, 'dRPC: foundry-rs/foundry#12687'],
  [
    /maximum allowed number of requested blocks is \d+/i,
    'thirdweb, SKALE: ponder-sh/ponder packages/utils/src/_test/thirdweb.test.ts',
  ],
  [
    /limit the query to at most [\d,]+ blocks/i,
    'Coinbase: ponder-sh/ponder packages/utils/src/_test/coinbase.test.ts',
  ],
  [/eth_getLogs range is too large, max is/i, 'Merkle: foundry-rs/foundry#12687'],
]

/** Whether a message of a node says that a range is too large, or has too many events; no other message does (D139). */
export const isRangeLimit = (message: string): boolean =>
  limits.some(([pattern]) => pattern.test(message))
