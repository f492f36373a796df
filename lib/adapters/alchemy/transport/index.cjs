'use strict'

// alchemy-sdk reaches the network only through axios, and this package is its axios. The transport itself
// is TypeScript, which Node does not run under node_modules and which a test runner would load twice.
// Therefore `installTransport` in ../sdk-transport.ts puts it where this file finds it.
const transport = Symbol.for('player-nfts.alchemy-transport')

const axios = (config) => globalThis[transport](config)

// The SDK rewrites errors of axios and adds the indexer's text. Other errors pass through unchanged.
axios.isAxiosError = () => false

module.exports = axios
