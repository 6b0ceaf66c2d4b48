-- Texts compare byte for byte, as SQLite and PostgreSQL do, so the same words are the same site. utf8mb4_bin ignores
-- blanks at the end; no word and no category has any.
CREATE TABLE news (
    id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
    title VARCHAR(255) NOT NULL,
    summary TEXT NOT NULL,
    body MEDIUMTEXT NOT NULL,
    category VARCHAR(60) NOT NULL,
    author VARCHAR(255) NOT NULL,
    INDEX news_category (category, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE comment (
    id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
    news_id INTEGER NOT NULL,
    author VARCHAR(255) NOT NULL,
    text TEXT NOT NULL,
    created_at VARCHAR(19) NOT NULL,
    INDEX comment_news (news_id, id),
    FOREIGN KEY (news_id) REFERENCES news (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The words of titles, for the exact search.
CREATE TABLE word (
    id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
    word VARCHAR(30) NOT NULL,
    news_id INTEGER NOT NULL,
    UNIQUE INDEX word_news (word, news_id),
    INDEX word_of_news (news_id),
    FOREIGN KEY (news_id) REFERENCES news (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
