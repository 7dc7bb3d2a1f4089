import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { someOf } from '@wadi/errors/some-of.ts'
import type { FieldFinding } from './field-findings.ts'
import { jsonView } from './field-view.ts'
import { TypedFields } from './typed-fields.ts'

const maxReported = 20

/** Reads the fields of one object of plain data and gathers what is wrong with them, to be thrown at once. */
export class FieldReader extends TypedFields<unknown, Record<string, unknown>> {
  readonly #subject: string
  readonly #findings: FieldFinding[]

  /** @param subject names the object in the error, for example `AppProject dev` */
  constructor(subject: string) {
    const findings: FieldFinding[] = []
    super(jsonView, (finding) => findings.push(finding))
    this.#subject = subject
    this.#findings = findings
  }

  /** Reports something wrong; the message names its field. */
  report(message: string): void {
    this.wrong('', message)
  }

  /** Everything wrong so far. */
  get findings(): readonly FieldFinding[] {
    return this.#findings
  }

  /**
   * @param separator stands between the messages: a line feed where people read many of them.
   * @throws InvalidInputError with the first 20 messages so far.
   */
  throwFindings(separator: '; ' | '\n' = '; '): void {
    if (this.#findings.length === 0) return
    const messages = this.#findings.map(({ message }) => message)
    const reason = someOf(messages, maxReported).join(separator)
    throw new InvalidInputError(reason, { context: [this.#subject] })
  }
}
