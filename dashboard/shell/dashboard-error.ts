/** A failure that the dashboard itself has found, in its own words. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  /** What the user can do, as a sentence. */
  readonly advice: string

  /** `title`: what has happened, as a sentence. */
  constructor(title: string, advice: string) {
    super(title)
    this.advice = advice
  }
}
