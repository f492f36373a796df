'use strict'

// The door through which alchemy-sdk reaches the network: it asks for axios and is given this. What
// lies behind the door is TypeScript, which Node does not run under node_modules, and which a test
// runner would load a second time; so it is not imported but left where both sides find it, by
// `openDoor` in ../sdk-transport.ts.
const transport = Symbol.for('player-nfts.alchemy-transport')

const axios = (config) => globalThis[transport](config)

// The SDK rewrites axios's own errors, with the indexer's text in them. Ours pass through untouched.
axios.isAxiosError = () => false

module.exports = axios
