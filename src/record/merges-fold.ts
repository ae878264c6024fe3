import { type ActionRecord, type Covered, isCompleted, isRequestRecord } from './record.ts'

/** What completed requests covered, as their records tell, and the body of a tracking issue. */
export function coveredIn(records: readonly ActionRecord[]): Covered {
  const all = records.flatMap((record): readonly Covered[] => {
    if (record.state === 'tracking') return [record.covered]
    return isRequestRecord(record) && isCompleted(record)
      ? [{ until: record.coversUntil, merged: record.merged }]
      : []
  })
  return {
    until: Math.max(0, ...all.map(({ until }) => until)),
    merged: [...new Set(all.flatMap(({ merged }) => merged))],
  }
}
