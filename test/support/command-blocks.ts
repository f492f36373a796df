import { readFileSync } from 'node:fs'

/** A block of commands on a page. */
export type CommandBlock = ReturnType<typeof commandBlocks>[number]

/** What a block of commands begins with, and not one with an answer, a request or a query. */
const command =
  /^(?:[A-Z_]+=|[a-z]+\(\)|\{ aws|\(cd|(?:aws|ask|cp|curl|export|for|gh|java|jq|ngrok|node|npm|npx|openssl|read) )/

/**
 * The blocks of commands of a page, in its order. `language`: `sh`, or `text` on the pages whose blocks a test does not compare with
 * their output; `text`: the commands, without the indentation of the block; `first`: their first line.
 */
export const commandBlocks = (page: string) =>
  Array.from(
    readFileSync(page, 'utf8').matchAll(/^( *)```(sh|text)\n([\s\S]*?)^ *```$/gm),
    ([, indentation = '', language = '', indented = '']) => {
      const text = indented.replaceAll(new RegExp(`^${indentation}`, 'gm'), '')
      return { page, language, text, first: `${text.split('\n')[0]}` }
    },
  ).filter(({ first }) => command.test(first))
