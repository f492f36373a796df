/** A query of CloudWatch Logs Insights as a Markdown code block. Each command stands on a line. */
export const query = (...commands: string[]): string =>
  ['```text', commands.join('\n| '), '```'].join('\n')
