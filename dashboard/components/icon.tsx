/** Outlines on a grid of 20 by 20. */
const shapes = {
  nfts: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
  play: 'M6 4l10 6-10 6z',
  key: 'M12.5 3.5a4 4 0 1 1-3.6 5.7L3 15v2h3v-2h2v-2h1.5l1-1M13.5 6.5h.01',
  chart: 'M3 17h14M5.5 14V9M10 14V4M14.5 14v-7',
  list: 'M7 5h10M7 10h10M7 15h10M3 5h.01M3 10h.01M3 15h.01',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4',
  book: 'M10 5C8.5 4 6 3.5 3 3.5v11c3 0 5.5.5 7 1.5 1.5-1 4-1.5 7-1.5v-11c-3 0-5.5.5-7 1.5zM10 5v11',
  exit: 'M12 6V4H4v12h8v-2M8 10h9M14 7l3 3-3 3',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  check: 'M4 10.5l4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  send: 'M17 3L2.500 8.500l6 3 3 6zM17 3l-8.500 8.500',
  close: 'M5 5l10 10M15 5L5 15',
  warning: 'M10 3l8 14H2zM10 8v4M10 14.5h.01',
  info: 'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM10 9v5M10 6.200h.01',
  chevron: 'M7 4l6 6-6 6',
} as const

/** A decorative icon in the colour of the text. The text beside it says what it means. */
export const Icon = ({ name }: { name: keyof typeof shapes }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
)
