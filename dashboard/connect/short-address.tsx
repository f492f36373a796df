/** The beginning and the end of an address. */
export const shortAddress = (address: string): string =>
  `${address.slice(0, 6)}…${address.slice(-4)}`

/** The same on the page, with the whole address when it is pointed at. */
export const ShortAddress = ({ address }: { address: string }) => (
  <code title={address}>{shortAddress(address)}</code>
)
