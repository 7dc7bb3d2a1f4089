/** The operator's rules for scripts; the words of `--run-scripts`. */
export const scriptRules = ['deny', 'allow', 'allow-shared-network'] as const

/** One of the rules. */
export type ScriptRule = (typeof scriptRules)[number]
