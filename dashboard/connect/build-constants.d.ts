/** Constants that the bundler writes into the page. Code that is not bundled sees `undefined`. */
declare global {
  /** `false` leaves out what only `npm start` needs (D114). A `var`, because only that declares a property. */
  var SAMPLE_PLAYERS: boolean | undefined
}

export {}
