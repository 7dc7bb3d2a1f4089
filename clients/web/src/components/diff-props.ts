export interface TextDiffProps {
  before: string
  after: string
  /** The names of the two sides, for readers and screen readers. */
  labels: readonly [string, string]
}

export interface ShownDiffProps extends TextDiffProps {
  isSideBySide: boolean
}
