import { backdrop, choice, type Draw, each, glow, randomNumbers, stars } from './drawing.ts'

/** The colors of the night and of the lamp light by temperament. */
const nights: Readonly<Record<string, readonly [top: string, bottom: string, light: string]>> = {
  Patient: ['#12243f', '#3d5a80', '#ffd59e'],
  Sleepless: ['#1b1533', '#51407d', '#ffc0d9'],
  Superstitious: ['#0f2a2a', '#2f6f68', '#d8ffb0'],
  Cheerful: ['#3a1f3d', '#b5566b', '#ffe08a'],
  Exact: ['#14202b', '#45606f', '#d7f0ff'],
  Wary: ['#22180f', '#7a5230', '#ffb870'],
}

const coats = ['#e8b13c', '#c8553d', '#2f4858', '#4f6d4a', '#5b4a72', '#d8cfc0']
const skins = ['#f1c9a5', '#d9a066', '#a86f45', '#7a4a2e', '#f6dcc3']
const hairs = ['#2b2118', '#6b4226', '#b5651d', '#cfc8bd', '#4a4a55']

/** A portrait of a lamp keeper before the night, with the lamp behind and a mark for each watch below. */
export const drawKeeper: Draw = ({ tokenId, trait }) => {
  const random = randomNumbers(tokenId)
  const [top, bottom, light] = nights[trait('Temperament')] ?? ['#12243f', '#3d5a80', '#ffd59e']
  const [coat, skin, hair] = [
    choice(coats, random()),
    choice(skins, random()),
    choice(hairs, random()),
  ]
  const hat = choice(hats, random())
  const face = choice(faces, random())
  const watches = Number(trait('Watch')) || 1
  return [
    backdrop(top, bottom),
    stars(random, 26),
    glow('l', { x: 200, y: 175, radius: 175, color: light }),
    `<circle cx="200" cy="175" r="112" fill="none" stroke="${light}" stroke-opacity=".45" stroke-width="2"/>`,
    `<path d="M62 400c6-92 60-128 138-128s132 36 138 128z" fill="${coat}"/>`,
    '<path d="M150 282l50 56 50-56 14 20-64 72-64-72z" fill="#000" opacity=".18"/>',
    `<path d="M176 236h48v44c0 16-48 16-48 0z" fill="${skin}"/><path d="M176 252c14 14 34 14 48 0v10c-14 12-34 12-48 0z" fill="#000" opacity=".12"/>`,
    `<ellipse cx="200" cy="188" rx="58" ry="68" fill="${skin}"/>`,
    face(hair),
    '<g fill="#1c1a1a"><circle cx="178" cy="188" r="5"/><circle cx="222" cy="188" r="5"/></g>',
    '<path d="M200 194l-6 20h11" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>',
    hat(coat),
    each(
      watches,
      (index) =>
        `<circle cx="${200 + (index - (watches - 1) / 2) * 20}" cy="378" r="5" fill="${light}"/>`,
    ),
  ].join('')
}

/** The faces below the eyes: beards and bare chins, with the hair at the sides. */
const faces: readonly ((hair: string) => string)[] = [
  (hair) =>
    `<path d="M142 178c-4 74 24 92 58 92s62-18 58-92c-6 40-24 44-58 44s-52-4-58-44z" fill="${hair}"/><path d="M184 232q16 8 32 0" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="4" stroke-linecap="round"/>`,
  (hair) =>
    `<path d="M140 160c-10 60-6 96 6 118 8-30 2-70 6-100zM260 160c10 60 6 96-6 118-8-30-2-70-6-100z" fill="${hair}"/><path d="M182 230q18 12 36 0" fill="none" stroke="#8a3b2e" stroke-width="4" stroke-linecap="round"/>`,
  (hair) =>
    `<path d="M164 222c12-12 60-12 72 0-12 10-24 8-36 4-12 4-24 6-36-4z" fill="${hair}"/><path d="M188 240h24" stroke="#000" stroke-opacity=".4" stroke-width="4" stroke-linecap="round"/>`,
  (hair) =>
    `<path d="M141 176c0-14 2-24 6-32l6 44zM259 176c0-14-2-24-6-32l-6 44z" fill="${hair}"/><path d="M184 232q16 6 32-2" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="4" stroke-linecap="round"/>`,
]

const hats: readonly ((coat: string) => string)[] = [
  // A sou'wester.
  (coat) =>
    `<path d="M96 168c24-16 48-20 104-20s80 4 104 20c-8 8-24 10-40 6-8-56-30-82-64-82s-56 26-64 82c-16 4-32 2-40-6z" fill="${coat}"/><path d="M136 160q64-22 128 0" fill="none" stroke="#000" stroke-opacity=".2" stroke-width="5"/>`,
  // A knitted cap.
  () =>
    '<path d="M140 158c0-54 26-80 60-80s60 26 60 80z" fill="#34495e"/><rect x="134" y="148" width="132" height="24" rx="12" fill="#46617b"/><circle cx="200" cy="76" r="13" fill="#46617b"/>',
  // A peaked cap.
  () =>
    '<path d="M138 140c-6-46 24-58 62-58s68 12 62 58z" fill="#20293a"/><path d="M140 138h120v18H140z" fill="#131a26"/><path d="M146 156h108c10 8 12 16 4 16q-58-14-116 0c-8 0-6-8 4-16z" fill="#0d121b"/><circle cx="200" cy="118" r="11" fill="#e8b13c"/>',
  // A hood.
  (coat) =>
    `<path d="M118 292c-16-120 6-214 82-214s98 94 82 214c-10 6-22 4-28-6 14-90 4-158-54-158s-68 68-54 158c-6 10-18 12-28 6z" fill="${coat}"/><path d="M146 286c-14-90-4-158 54-158s68 68 54 158" fill="none" stroke="#000" stroke-opacity=".2" stroke-width="6"/>`,
]
