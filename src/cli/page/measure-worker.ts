import { answerQuestions } from "../toolset/answer-questions.ts";
import { measurePage } from "./measure-page.ts";

// The thread in which tokens are counted for the page: their table alone takes a while to load, and no call must wait for it.

answerQuestions(measurePage);
