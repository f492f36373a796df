// The rules that involve several settings of a deployment return their faults: a sentence without a full stop for each,
// which begins with the name of a setting.

/** The sentences of which it is true that the settings break their rule. */
export const brokenRules = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.keys(rules).filter((sentence) => rules[sentence])
