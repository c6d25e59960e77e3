/** What was accepted before does not hold for what is judged now. */
export class StaleAcceptance extends Error {
  override readonly name = 'StaleAcceptance';
}
