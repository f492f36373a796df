import { useState } from 'preact/hooks'
import { Segments } from '../components/segments.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

const themes: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Switches between the light theme, the dark theme and that of the operating system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (value: Theme) => {
    chooseTheme(value)
    setTheme(value)
  }
  return <Segments label="Theme" value={theme} options={themes} onValue={choose} />
}
