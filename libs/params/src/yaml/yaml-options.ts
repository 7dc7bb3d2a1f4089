/** What a text of YAML may use up; exceeding one is a ResourceExhaustedError that names it. */
export interface YamlLimits {
  /** Bytes of the text in UTF-8; 4 MiB by default. */
  maxBytes: number
  /** Maps and lists inside one another, after the expansion of aliases; 200 by default. */
  maxDepth: number
  /** Nodes of the text, keys included, after the expansion of aliases; 500,000 by default. */
  maxNodes: number
}

/** How a text of YAML is read. */
export interface YamlOptions {
  /**
   * What plain scalars mean: `values` as Zarf reads its values files (`yes` and `1e3` are texts, `010` is 8), `kubernetes`
   * as Kubernetes and Helm read YAML (`yes` is true, `1e3` is 1000).
   */
  rules?: YamlRules
  limits?: Partial<YamlLimits>
}

/** What plain scalars of YAML mean. */
export type YamlRules = 'values' | 'kubernetes'
