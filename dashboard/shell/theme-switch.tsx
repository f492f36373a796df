import { useState } from 'preact/hooks'
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
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">Theme</legend>
      {themes.map(({ value, label }) => (
        <label key={value} class="segment">
          <input
            type="radio"
            name="theme"
            class="visually-hidden"
            checked={theme === value}
            onChange={() => choose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
