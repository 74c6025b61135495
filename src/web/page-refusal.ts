/** Why a request of the page is not answered with what it asked for; the words are for the person at the page. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly code: string | number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  constructor(
    status: number,
    code: string | number,
    message: string,
    headers: readonly (readonly [name: string, value: string])[] = [],
  ) {
    super(message);
    this.name = "PageRefusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
