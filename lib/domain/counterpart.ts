/** The entry at an index of a list that has one entry for each of another list, whose index it is. */
export const counterpart = <Entry>(entries: readonly Entry[], index: number): Entry =>
  // The type of an element of a list does not know that the lists have the same length.
  entries[index] as Entry
