import { cloneElement, createElement, Fragment, isValidElement, type ReactNode } from 'react'
import { readMessage } from './read-message.ts'
import { catalogue, locale, type Message } from './catalogue.ts'
import { formatMessage, type TagDrawing } from './format-message.ts'
import type { ValueArguments, ValuesOf } from './message-values.ts'

/**
 * Returns an English text, written in the message format of ICU, in the language of the page. The build compiles the text,
 * which is therefore a literal. A number is `{count, number}` or a plural, so that it has the form of the language.
 */
export function t<Text extends Message>(message: Text, ...[values]: ValueArguments<Text>): string {
  return formatMessage(readMessage(message), values, { catalogue, locale }) as string
}

/** Returns a text with an element for each pair of tags, such as `Read <code>{file}</code>`; its content is the text between them. */
t.rich = <Text extends Message>(message: Text, values: ValuesOf<Text>): ReactNode => {
  const drawings = Object.entries(values as object).map(([name, value]) => [name, drawingOf(value)])
  const parts = formatMessage(readMessage(message), Object.fromEntries(drawings), { catalogue, locale })
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts
}

/** An element between whose tags there is nothing keeps its own content. */
function drawingOf<Value>(value: Value): Value | TagDrawing {
  if (!isValidElement(value)) return value
  return (chunks) =>
    chunks.every((chunk) => chunk === '') ? value : cloneElement(value, undefined, ...chunks)
}
