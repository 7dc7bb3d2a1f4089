import type { FuncKeywordDefinition } from 'ajv'

/** A keyword that parts of a schema get, so that evaluations can be counted; its value is how many parts it stands for. */
export const evaluationKeyword = 'wadi-evaluation'

const maxEvaluations = 1_000_000

/** Thrown when parts of a schema are applied very often, as they are when each of many references doubles the next. */
export class EvaluationBudgetError extends Error {
  override readonly name = 'EvaluationBudgetError'
}

/** Returns the keyword's meaning: it holds for everything, until too many parts were applied. */
export function evaluationBudget(): FuncKeywordDefinition {
  let evaluations = 0
  return {
    keyword: evaluationKeyword,
    errors: false,
    validate: (parts: number) => {
      evaluations += parts
      if (evaluations <= maxEvaluations) return true
      throw new EvaluationBudgetError(`the schema's parts are applied more than ${maxEvaluations} times`)
    },
  }
}
