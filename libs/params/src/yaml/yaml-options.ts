/** The limits of a text of YAML; exceeding one is a ResourceExhaustedError that names it. */
export interface YamlLimits {
  /** Bytes of the text in UTF-8; 4 MiB by default. */
  maxBytes: number
  /** Maps and lists inside one another, after the expansion of aliases; 200 by default. */
  maxDepth: number
  /** Nodes of the text, keys included, after the expansion of aliases; 500,000 by default. */
  maxNodes: number
}

/** The options of reading YAML. */
export interface YamlOptions {
  /**
   * The meaning of plain scalars: `values` as Zarf reads its values files (`yes` and `1e3` are strings, `010` is 8),
   * `kubernetes` as Kubernetes and Helm read YAML (`yes` is true, `1e3` is 1000).
   */
  rules?: YamlRules
  limits?: Partial<YamlLimits>
}

/** The meaning of plain scalars of YAML. */
export type YamlRules = 'values' | 'kubernetes'
