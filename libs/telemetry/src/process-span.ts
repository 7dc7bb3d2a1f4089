import { type Span, startSpan } from './span.ts'

/**
 * Begins the span of a program; it ends with the program.
 * @param program names it, such as `git fetch`; what is not made of such words is left out, as it may be a user's text
 */
export function startProgramSpan(program: string): Span | undefined {
  const name = /^[\w.-]{1,32}(?: [\w.-]{1,32})?$/.test(program) ? program : 'program'
  const executable = name.split(' ', 1)[0] ?? name
  return startSpan(name, { attributes: { 'process.executable.name': executable } })
}
