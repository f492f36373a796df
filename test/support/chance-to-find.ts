/**
 * The probability that a check finds at least one wrong pair of wallet and token, from 0 to 1. `shareOfWrongPairs`: from 0 to 1, and
 * independent of which pairs are checked; `checked`: the number of different pairs.
 */
export const chanceToFind = (shareOfWrongPairs: number, checked: number): number =>
  1 - (1 - shareOfWrongPairs) ** checked
