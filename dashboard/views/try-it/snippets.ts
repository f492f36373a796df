import type { Call } from './call.ts'
import { curlSnippet } from './curl-snippet.ts'
import { godotSnippet } from './godot-snippet.ts'
import { typescriptSnippet } from './typescript-snippet.ts'
import { unitySnippet } from './unity-snippet.ts'
import { unrealSnippet } from './unreal-snippet.ts'

/** A language in which Try it shows a call. */
export interface SnippetLanguage {
  readonly id: string
  readonly label: string
  /** The call as code to copy. It contains no credential. */
  readonly write: (call: Call) => string
}

/** The languages of Try it, in the order of its tabs. */
export const snippetLanguages: readonly SnippetLanguage[] = [
  { id: 'curl', label: 'curl', write: curlSnippet },
  { id: 'typescript', label: 'TypeScript', write: typescriptSnippet },
  { id: 'unity', label: 'Unity (C#)', write: unitySnippet },
  { id: 'unreal', label: 'Unreal (C++)', write: unrealSnippet },
  { id: 'godot', label: 'Godot (GDScript)', write: godotSnippet },
]
