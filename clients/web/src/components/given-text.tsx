import type { ReactNode } from 'react'
import { visibleText } from '../words/visible-text.ts'
import classes from './given-text.module.css'

interface GivenTextProps {
  text: string
  /** The maximum number of lines; the whole text is its title then. All of it by default. */
  lines?: 1 | 2
  /** The language of the text, for example `en` of what the server says; that of the page by default. */
  lang?: 'en'
}

/** A text that somebody else wrote, such as the subject of a commit: it neither reorders the words around it nor fills the page. */
export function GivenText({ text, lines, lang }: GivenTextProps) {
  const visible = visibleText(text)
  if (lines === undefined) return <bdi lang={lang}>{visible}</bdi>
  return (
    <bdi lang={lang} className={classes.clamped} style={{ WebkitLineClamp: lines }} title={visible}>
      {visible}
    </bdi>
  )
}

/** Draws what the server says, which is English in every language of the page. */
export function serverText(text: string): ReactNode {
  return <GivenText text={text} lang="en" />
}

/** A cell that is a text shows what somebody else wrote. */
export function shownCell(cell: ReactNode): ReactNode {
  return typeof cell === 'string' && cell !== '' ? <GivenText text={cell} /> : cell
}
