/** Rows of a list, the first one and the one after the last. */
export interface Rows {
  from: number
  to: number
}

/** The rows of commits that a stage has, as far as they are without gaps, and of those that come next. */
export interface WaterLevel {
  held: Rows[]
  /** The row of the commit that the stage is at; -1 when it is not listed. */
  head: number
  /** The commits that it waits for; undefined when nothing waits. */
  coming: Rows | undefined
}

interface LevelStage {
  drySha: string
  nextDrySha: string
}

interface LevelCommit {
  sha: string
  stages: readonly number[]
}

/** Returns the level of each stage in a list of dry commits, the newest first. */
export function waterLevels(stages: readonly LevelStage[], commits: readonly LevelCommit[]): WaterLevel[] {
  const rows = new Map(commits.map(({ sha }, row) => [sha, row]))
  const levels = stages.map(({ drySha }): WaterLevel => ({
    held: [],
    head: rows.get(drySha) ?? -1,
    coming: undefined,
  }))
  for (const [row, commit] of commits.entries()) {
    for (const index of commit.stages) {
      const held = levels[index]?.held
      const last = held?.at(-1)
      if (last?.to === row) last.to = row + 1
      else held?.push({ from: row, to: row + 1 })
    }
  }
  for (const [index, level] of levels.entries()) {
    const next = rows.get(stages[index]?.nextDrySha ?? '')
    if (next === undefined) continue
    const top = level.held[0]?.from ?? commits.length
    if (next < top) level.coming = { from: next, to: top }
  }
  return levels
}
