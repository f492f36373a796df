/** Counts what people who sign in with wallets spend of the limits (D107). Each method throws RateLimited, and spends nothing then. */
export interface SignInUse {
  /** Counts a proof that a network sends, before it is judged. */
  try(network: string): Promise<void>
  /** Counts that a proof of a network was refused. */
  refuse(network: string): Promise<void>
  /** Counts a valid proof in the deployment. */
  accept(wallet: { isKnown: boolean }): Promise<void>
  /** Counts a device code that a network asks for. */
  askForDevice(network: string): Promise<void>
  /** Counts a user code that a user of a network enters, before it is looked up. */
  guess(userId: number, network: string): Promise<void>
  /** Takes back a guess that was right. */
  guessedRight(userId: number, network: string): Promise<void>
}
