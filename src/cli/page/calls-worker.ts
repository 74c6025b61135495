import { answerQuestions } from "../toolset/answer-questions.ts";
import { openCallsReader } from "./read-calls.ts";

// The thread in which the events are read for the page: a file of many, and no call must wait for that.

answerQuestions(openCallsReader());
