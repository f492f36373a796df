/** Waits for both, so that nothing is written after a failure is known. Throws the first failure. */
export async function bothEnded(
  first: Promise<unknown> | undefined,
  second: Promise<unknown> | undefined,
): Promise<void> {
  await Promise.allSettled([first, second])
  await first
  await second
}
