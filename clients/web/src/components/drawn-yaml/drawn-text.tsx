import { useMemo } from 'react'
import frame from '../code.module.css'
import { coloredLines } from './colored-lines.ts'
import { DrawnBox } from './drawn-box.tsx'
import { DrawnLine } from './drawn-line.tsx'
import classes from './drawn-yaml.module.css'

/** Draws YAML to read. */
export function DrawnText({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => coloredLines(text), [text])
  return (
    <div className={`${frame.code} ${classes.frame}`}>
      <DrawnBox label={label} lines={lines.length}>
        {lines.map((line, index) => (
          <DrawnLine key={index} number={index + 1} line={line} />
        ))}
      </DrawnBox>
    </div>
  )
}
