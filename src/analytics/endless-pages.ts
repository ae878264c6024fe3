import { ActionError } from '../errors.ts'
import { grouped } from '../text.ts'

/**
 * The most pages of results that a run reads of one list. No run lives long enough to read more at 100 requests an hour
 * (a job of a hosted runner ends after 6 h).
 */
export const MAX_PAGES = 1000

/** The service claims that there is more, but reading on would lead nowhere. */
export class EndlessPages extends ActionError {
  /**
   * @param rows what the pages hold, in the plural
   * @param pages read so far
   */
  constructor(rows: string, pages: number, fault: string, remedy = 'run again later') {
    super(
      'bad-response',
      `The service says that more ${rows} follow after page ${grouped(pages)} of its results, but ${fault}. Nothing was written: ${remedy}.`,
    )
  }
}
