/** The parts of a list, in its order, of up to `size` elements each. */
export const partsOf = <Element>(list: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
