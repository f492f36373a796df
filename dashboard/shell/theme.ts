/** What the switch of the theme says; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark'

/** Where the choice is kept. It is the only thing that the dashboard keeps in localStorage. */
const storageKey = 'player-nfts.theme'

/** Returns the chosen theme. Without a choice, or if the storage is not available, it is `system`. */
export function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Shows the page in a theme. The styles read the attribute. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
}

/** Shows the page in a theme and keeps the choice for later visits. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
