import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  ParameterSchema,
  ParameterValueSchema,
} from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'

type ValueShape = MessageInitShape<typeof ParameterValueSchema>

/** A single value. */
export function text(value: string): ValueShape {
  return { kind: { case: 'text', value } }
}

/** A list of values. */
export function list(...items: string[]): ValueShape {
  return { kind: { case: 'list', value: { items } } }
}

/** Values by key. */
export function map(values: Record<string, string>): ValueShape {
  const entries = Object.entries(values).map(([key, value]) => ({ key, value }))
  return { kind: { case: 'map', value: { entries } } }
}

const file = 'apps/guestbook/.argocd-source.yaml'

/** The parameters of the tests: one of each collection and origin, in two groups. */
export const sampleParameters: MessageInitShape<typeof ParameterSchema>[] = [
  {
    name: 'replicas',
    type: 'number',
    collection: 'string',
    tooltip: 'How many',
    required: true,
    default: text('1'),
    defaultOrigin: { kind: 'chart', file: 'charts/web/values.yaml', line: 3 },
    announced: true,
  },
  {
    name: 'size',
    title: 'Size',
    type: 'enum',
    collection: 'string',
    options: ['S', 'L'],
    group: 'Looks',
    default: text('S'),
    value: text('XXL'),
    origin: { kind: 'application' },
    problems: ['"XXL" is not one of S, L'],
    announced: true,
  },
  {
    name: 'hosts',
    type: 'string',
    collection: 'array',
    default: list(),
    value: list('a.example.com', 'b.example.com'),
    origin: { kind: 'git', file, line: 4 },
    announced: true,
  },
  {
    name: 'image',
    type: 'string',
    collection: 'map',
    group: 'Looks',
    default: map({ repository: 'nginx', tag: 'v1', pullSecret: '' }),
    defaultOrigin: { kind: 'plugin' },
    value: map({ tag: 'v2', digest: 'sha256:00' }),
    origin: { kind: 'git', file, line: 7 },
    announced: true,
  },
]
