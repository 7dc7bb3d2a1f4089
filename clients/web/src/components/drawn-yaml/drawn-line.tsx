import { characterCode, hiddenParts } from '../../words/visible-text.ts'
import type { Line } from './colored-lines.ts'
import classes from './drawn-yaml.module.css'

export interface DrawnLineProps {
  /** From 1; none for the place of a line that only the other text has. */
  number?: number | undefined
  line?: Line | undefined
  /** The class of what is special about it. */
  mark?: string | undefined
}

/** A line of YAML with its number, which nobody selects with it. */
export function DrawnLine({ number, line = [], mark }: DrawnLineProps) {
  return (
    <code className={classNames(classes.line, mark)} data-line={number}>
      {line.map(({ text, color, isMarked }, index) => (
        <span key={index} className={classNames(color && classes[color], isMarked && classes.word)}>
          <VisibleCode text={text} />
        </span>
      ))}
      {/* Who copies lines gets them with their ends. */}
      {number !== undefined && '\n'}
    </code>
  )
}

/** Shows what would hide or reorder the code around it by its code; who copies it gets what is there. */
function VisibleCode({ text }: { text: string }) {
  const parts = hiddenParts(text)
  if (parts.length === 1) return text
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <bdi key={index} className={classes.hidden} data-code={characterCode(part)}>
        {part}
      </bdi>
    ),
  )
}

function classNames(...names: (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}
