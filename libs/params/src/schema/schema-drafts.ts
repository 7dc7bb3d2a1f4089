import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import { Ajv } from 'ajv'
import type { AnySchemaObject, CodeOptions, Options, ValidateFunction } from 'ajv'
import ajvDraft4 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import type { FormatName } from 'ajv-formats'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { evaluationBudget } from './evaluation-budget.ts'

/** A version of JSON Schema. */
export type Draft = '4' | '6' | '7' | '2019-09' | '2020-12'

const metaSchemas = new Map<string, Draft>([
  ['json-schema.org/draft-04/schema', '4'],
  ['json-schema.org/draft-06/schema', '6'],
  ['json-schema.org/draft-07/schema', '7'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
])

/** Returns the draft that a `$schema` names, if it is a known one. */
export function draftOf(metaSchema: string): Draft | undefined {
  return metaSchemas.get(metaSchema.replace(/^https?:\/\//, '').replace(/#$/, ''))
}

/** Formats that JSON Schema has; each is checked on texts alone. */
const formats: FormatName[] = [
  ...([
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
  ] as const),
  ...(['uri-template', 'uuid', 'regex', 'json-pointer', 'relative-json-pointer'] as const),
]

const ajvOptions: Options = {
  allErrors: true,
  strict: false,
  logger: false,
  // Keys such as `constructor` are there only when the value has them itself.
  ownProperties: true,
  // A schema that doubles its references would double the checker's code with each.
  inlineRefs: false,
  code: { regExp: goRegExp(), optimize: false },
}

/**
 * Makes a checker of a schema that {@link schemaError} has nothing against. The compiler writes JavaScript, into which
 * it puts texts of the schema as quoted literals alone; it is made again each time, so that nothing of a schema stays.
 */
export function compileSchema(schema: AnySchemaObject, draft: Draft): ValidateFunction {
  const compiler = newCompiler(draft, { ...ajvOptions, meta: false, validateSchema: false })
  addFormats.default(compiler, formats)
  compiler.addKeyword(evaluationBudget())
  // The name of the meta-schema would be looked up.
  const { $schema: _, ...rest } = schema
  return compiler.compile(rest)
}

const checkers = new Map<Draft, ValidateFunction>()

/** Returns the checker of schemas themselves. */
export function schemaChecker(draft: Draft): ValidateFunction {
  const known = checkers.get(draft)
  if (known !== undefined) return known
  const checker = newChecker(draft)
  checkers.set(draft, checker)
  return checker
}

function newChecker(draft: Draft): ValidateFunction {
  const compiler = newCompiler(draft, {
    strict: false,
    logger: false,
    validateFormats: false,
    allErrors: true,
  })
  if (draft === '6') return compiler.compile(draft6)
  for (const [id, of] of metaSchemas) {
    const checker =
      of === draft ? (compiler.getSchema(`http://${id}`) ?? compiler.getSchema(`https://${id}`)) : undefined
    if (checker !== undefined) return checker
  }
  throw new Error(`no meta-schema of draft ${draft}`)
}

function newCompiler(draft: Draft, options: Options): Ajv {
  if (draft === '4') return new ajvDraft4.default(options)
  if (draft === '2019-09') return new Ajv2019(options)
  return draft === '2020-12' ? new Ajv2020(options) : new Ajv(options)
}

/** Helm and Zarf check patterns with Go's regular expressions. */
function goRegExp(): NonNullable<CodeOptions['regExp']> {
  const compile = (pattern: string) => ({
    test: compileGoRegex(pattern),
    // The compiler identifies patterns by it.
    toString: () => pattern,
  })
  // The compiler asks for `code`, to write a checker to a file.
  return Object.assign(compile, { code: 'new RegExp' })
}
