/** One render that can be made fast in this process, or by the program that users know. */
export interface TwoWays<Result> {
  /** The renderer, for metrics. */
  readonly renderer: string
  /** The rendered thing, for warnings: `chart "charts/web"`. */
  readonly name: string
  /** Equal for renders of one program by one version of the tool, whatever values they give it: what is trusted is known by this. */
  readonly digest: string
  /** True if this render is compared in any case. */
  readonly isStrict: boolean
  /**
   * Reads what the fast way needs, and returns what renders it.
   * @param early whether all is to be read now: the fast render may then run when this one is over, without its signal
   * @throws UnsupportedFastWay, now or later, when only the tool can render it
   */
  prepare(early: boolean): Promise<(signal: AbortSignal | undefined) => Promise<Result>>
  /** Runs the tool. */
  tool(): Promise<Result>
  /** Returns the part of a result that must be equal in both ways. */
  comparable(result: Result): string
  readonly signal: AbortSignal | undefined
  /** The engine of the fast way; undefined where it does not matter if it runs already. */
  readonly engine?: FastEngine
}

/** Threads that render fast. */
interface FastEngine {
  /** True if there is a thread, even one that is still starting. */
  readonly isStarted: boolean
  /** True if a thread has started, so that a render need not wait for it. */
  readonly isReady: boolean
  /** Notes a process of the tool, until the returned value is disposed. */
  addTool(): Disposable
}

/** Only the tool can render this. The message completes "the fast way …": `does not run the function genCA`. */
export class UnsupportedFastWay extends Error {
  static {
    this.prototype.name = 'UnsupportedFastWay'
  }
}

/**
 * The way of a render: `fast`; `equal`, by the tool and compared; `tool`, by the tool only, as the fast way is not
 * trusted or not yet; and the reasons to end the trust: `different`, `failed`, `unsupported`. `refused` is an error of
 * both, and `missing` a render by the tool that no engine can make.
 */
type FastOutcome = 'fast' | 'equal' | 'tool' | 'refused' | 'missing' | Distrust

/** Why a program is left to the tool: another result, an error where the tool has none, or something unsupported. */
export type Distrust = 'different' | 'failed' | 'unsupported'

/** The reports of a guard. */
export interface FastReports {
  /** A render was made. */
  rendered(renderer: string, outcome: FastOutcome): void
  /** A program is left to the tool from now on; `message` says which one and why, without anything from its result. */
  distrusted(renderer: string, message: string): void
}
