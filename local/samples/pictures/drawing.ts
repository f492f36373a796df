/** What a picture shows of an NFT: its number, and the texts of its metadata. */
export interface Subject {
  tokenId: number
  name: string
  /** The value of an attribute by its `trait_type`, or of a member of its item; `''` if there is none. */
  trait(name: string): string
}

/** Draws an NFT: the content of an SVG document of {@link side} × {@link side}. The same NFT has the same picture. */
export type Draw = (subject: Subject) => string

/** The width and height of a picture. */
export const side = 400

/** An SVG document, without scripts, fonts or links. */
export const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${content}</svg>`

/** Returns pseudorandom numbers of at least 0 and less than 1, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The numbers from 0 to less than `count`, each mapped to a part of a drawing. */
export const each = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('')

/** A vertical gradient that fills the whole picture. */
export const backdrop = (top: string, bottom: string): string =>
  `<defs><linearGradient id="b" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${side}" height="${side}" fill="url(#b)"/>`

/** A glow around a point: a gradient from a color to transparency. `id` distinguishes the glows of one picture. */
export const glow = (
  id: string,
  { x, y, radius, color }: { x: number; y: number; radius: number; color: string },
): string =>
  `<defs><radialGradient id="${id}"><stop stop-color="${color}" stop-opacity=".9"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient></defs><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#${id})"/>`

/** Stars in the upper part of the picture. */
export const stars = (random: () => number, count: number): string =>
  each(count, () => {
    const [x, y, radius] = [random() * side, random() * 230, 0.7 + random() * 1.5]
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="#fff" opacity=".7"/>`
  })

/** An entry of a list, chosen by a pseudorandom number. */
export const choice = <Item>(list: readonly Item[], number: number): Item =>
  list[Math.floor(number * list.length)] as Item
