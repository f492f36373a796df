/** Constants that the bundler writes into the functions. Code that is not bundled sees `undefined`. */
declare global {
  /** `false` leaves out what only sign-in with wallets needs (D103). A `var`, because only that declares a property. */
  var WALLET_SIGN_IN: boolean | undefined
}

export {}
