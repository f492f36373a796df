/** The first number from 0 to below `count` for which something holds, which also holds for all greater ones, or `count`. */
export function firstWith(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
