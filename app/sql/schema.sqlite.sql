PRAGMA journal_mode = WAL;

CREATE TABLE news (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    body TEXT NOT NULL,
    category TEXT NOT NULL,
    author TEXT NOT NULL
);
CREATE INDEX news_category ON news (category, id);

CREATE TABLE comment (
    id INTEGER PRIMARY KEY,
    news_id INTEGER NOT NULL REFERENCES news (id),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX comment_news ON comment (news_id, id);

-- The words of titles, for the exact search.
CREATE TABLE word (
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL,
    news_id INTEGER NOT NULL REFERENCES news (id)
);
CREATE UNIQUE INDEX word_news ON word (word, news_id);
CREATE INDEX word_of_news ON word (news_id);
