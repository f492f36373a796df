// Runs before the first paint, so that the page never shows in the other theme first.
import { chosenTheme, showTheme } from './theme.ts'

showTheme(chosenTheme())
