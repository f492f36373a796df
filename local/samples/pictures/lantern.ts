import { backdrop, type Draw, each, glow, randomNumbers, stars } from './drawing.ts'

/** The colors of a glass: of its light, and of the night around it. */
const glasses: Readonly<Record<string, readonly [light: string, top: string, bottom: string]>> = {
  'Salt White': ['#fff3d6', '#1a2230', '#38455a'],
  'Herring Silver': ['#dcecf5', '#141d2b', '#33506b'],
  'Storm Green': ['#a5f0bd', '#0d2320', '#1f4f45'],
  'Widow’s Red': ['#ff9a86', '#2a0f18', '#5f2130'],
  'Ebb Blue': ['#8fd0ff', '#0c1a33', '#1f3f73'],
}

/** The height of the flame by oil. */
const flames: Readonly<Record<string, number>> = {
  Whale: 62,
  Tallow: 44,
  Rapeseed: 52,
  'Nobody’s Business': 74,
}

/** A lit lantern in the color of its glass, in a dial that shows the hours for which it burns. */
export const drawLantern: Draw = ({ tokenId, trait }) => {
  const random = randomNumbers(tokenId)
  const [light, top, bottom] = glasses[trait('Glass')] ?? ['#fff3d6', '#1a2230', '#38455a']
  const width = 66 + random() * 26
  return [
    backdrop(top, bottom),
    stars(random, 18),
    glow('l', { x: 200, y: 208, radius: 190, color: light }),
    dial(Number(trait('Hours')) || 4, light),
    body(width, light),
    flame(flames[trait('Oil')] ?? 52, light),
  ].join('')
}

/** Twelve hours around the lantern; the hours for which it burns are lit. */
const dial = (hours: number, light: string): string =>
  each(12, (hour) => {
    const angle = (hour / 12) * 2 * Math.PI - Math.PI / 2
    const [x, y] = [200 + 168 * Math.cos(angle), 200 + 168 * Math.sin(angle)]
    const isLit = hour < hours
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${isLit ? 6 : 3}" fill="${isLit ? light : '#fff'}" opacity="${isLit ? 1 : 0.3}"/>`
  })

function body(width: number, light: string): string {
  const [left, right] = [200 - width / 2, 200 + width / 2]
  const at = (number: number) => number.toFixed(1)
  return [
    `<path d="M172 124c0-44 56-44 56 0" fill="none" stroke="#0a0d12" stroke-width="7"/>`,
    `<path d="M${at(left)} 158h${at(width)}c${at(width * 0.22)} 44 ${at(width * 0.22)} 60 0 104h-${at(width)}c-${at(width * 0.22)}-44-${at(width * 0.22)}-60 0-104z" fill="${light}" fill-opacity=".45" stroke="#0a0d12" stroke-width="5"/>`,
    `<path d="M${at(left - 8)} 158l16-34h${at(width - 16)}l16 34zM${at(left - 14)} 262h${at(width + 28)}l8 30H${at(left - 22)}z" fill="#0a0d12"/>`,
    `<path d="M${at(left + width * 0.2)} 160v100M${at(right - width * 0.2)} 160v100" stroke="#0a0d12" stroke-width="3"/>`,
  ].join('')
}

const flame = (height: number, light: string): string =>
  `<path d="M200 ${250 - height}c${height * 0.4} ${height * 0.45} ${height * 0.36} ${height} 0 ${height}s-${height * 0.4}-${height * 0.55} 0-${height}z" fill="#fff"/><circle cx="200" cy="238" r="9" fill="${light}"/>`
