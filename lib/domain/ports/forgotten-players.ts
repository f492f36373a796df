/** Deletes what is stored about players (D48). */
export interface ForgottenPlayers {
  /**
   * Deletes a player and everything else about the user id, also the balances of the player's wallets that are kept
   * (D156), and leaves a tombstone with the id and the time. What is kept of the holders of NFTs stays: it is public data of the
   * chain without a user id. The player's wallets begin as somebody new (D98). Safe to repeat: after a crash between two writes, a repeat deletes the rest. Returns whether a player was stored.
   */
  forget(userId: number): Promise<boolean>
  /** The same, unless the player has a wallet: then nothing is changed. */
  forgetWithoutWallets(userId: number): Promise<boolean>
}
