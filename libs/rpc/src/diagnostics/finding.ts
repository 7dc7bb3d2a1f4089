import type {
  DiagnoseRequest,
  RepositoryNews,
} from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'

/** Something that an operator should look at; the fields are those of the message `Finding`. */
export interface Finding {
  /** `info` is odd or slow, and may be meant so. */
  readonly severity: 'error' | 'warning' | 'info'
  /** The thing that it is about, such as `disk`. */
  readonly area: string
  readonly message: string
  /** A command that fixes it, or what to do. */
  readonly remedy: string
}

/** The part of a report that only the service itself can know. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  readonly repositories?: readonly Omit<RepositoryNews, '$typeName' | '$unknown'>[]
}

/** The part of a request that a service answers by itself. */
export type DiagnosisRequest = Pick<DiagnoseRequest, 'remotes' | 'repositories'>

/** Finds what is wrong with a service; the signal bounds the time. */
export type Diagnose = (request: DiagnosisRequest, signal: AbortSignal) => Promise<Diagnosis>
