/** The operators of languages that follow SQL, but for those on null and on parts of texts, which each writes its own way. */
export const SQL_OPERATORS: Readonly<Record<string, string>> = {
  eq: "=",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "IN",
  not_in: "NOT IN",
};
