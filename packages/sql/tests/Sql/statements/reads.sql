SELECT * FROM news
SELECT * FROM news WHERE id = 4
SELECT * FROM news WHERE id = '4'
SELECT * FROM news WHERE id = 4.0
SELECT * FROM news WHERE id = 99
SELECT * FROM news WHERE id IS NULL
SELECT * FROM news WHERE category = 'net'
SELECT * FROM news WHERE category = 'NET'
SELECT * FROM news WHERE author = 'bob'
SELECT * FROM news WHERE category = 4
SELECT * FROM news WHERE category = NULL
SELECT * FROM news WHERE category IS NULL
SELECT * FROM news WHERE id IN (4, 5, 6)
SELECT * FROM news WHERE id IN ()
SELECT * FROM news WHERE id NOT IN (4)
SELECT * FROM news WHERE id BETWEEN 4 AND 5
SELECT * FROM news WHERE NOT id = 4
SELECT * FROM news WHERE id = 4 OR category = 'web'
SELECT * FROM news WHERE id = 4 = 0
SELECT * FROM news WHERE id = 4 IN (0)
SELECT * FROM news WHERE id = 4 IS NOT NULL
SELECT * FROM news WHERE title LIKE 'f%'
SELECT * FROM news WHERE title GLOB 'f*'
SELECT * FROM news WHERE title = 'it''s'
SELECT * FROM news WHERE title = "four"
SELECT * FROM "news" WHERE "id" = 4
SELECT * FROM [news] WHERE [id] = 4
SELECT * FROM `news` WHERE `id` = 4
SELECT * FROM main.news WHERE main.news.id = 4
select n.title from news as n where n.id = 4
SELECT title AS t, id AS i FROM news ORDER BY i DESC
SELECT id AS a, id AS a, title AS a FROM news
SELECT id, title FROM news ORDER BY id LIMIT 1
SELECT id, title FROM news ORDER BY id LIMIT 1 OFFSET 1
SELECT id, title FROM news ORDER BY id LIMIT 0
SELECT DISTINCT category FROM news ORDER BY category
SELECT category, count(*) FROM news GROUP BY category ORDER BY category
SELECT category, count(*) AS n FROM news GROUP BY category HAVING n > 1
SELECT count(*) FROM news
SELECT count(*), sum(id), avg(id), min(title), max(title), total(id) FROM news
SELECT group_concat(title, '/') FROM news WHERE id = 4
SELECT * FROM news n JOIN comment c ON c.news_id = n.id ORDER BY c.id
SELECT * FROM news n LEFT JOIN comment c ON c.news_id = n.id ORDER BY n.id, c.id
SELECT * FROM news n LEFT JOIN comment c ON c.news_id = n.id AND n.id = 4 ORDER BY n.id, c.id
SELECT * FROM news n RIGHT JOIN comment c ON c.news_id = n.id ORDER BY c.id
SELECT * FROM news n FULL JOIN comment c ON c.news_id = n.id ORDER BY n.id, c.id
SELECT * FROM news n, comment c WHERE c.news_id = n.id ORDER BY c.id
SELECT * FROM news CROSS JOIN comment ORDER BY news.id, comment.id
SELECT * FROM news NATURAL JOIN comment ORDER BY id
SELECT * FROM news JOIN comment USING (id) ORDER BY id
SELECT n.*, (SELECT count(*) FROM comment c WHERE c.news_id = n.id) AS comments FROM news n ORDER BY n.id
SELECT * FROM news n WHERE EXISTS (SELECT 1 FROM comment c WHERE c.news_id = n.id) ORDER BY id
SELECT * FROM news n WHERE NOT EXISTS (SELECT 1 FROM comment c WHERE c.news_id = n.id) ORDER BY id
SELECT * FROM news WHERE id IN (SELECT news_id FROM comment) ORDER BY id
SELECT * FROM news WHERE id = (SELECT max(news_id) FROM comment)
SELECT * FROM (SELECT id, title FROM news ORDER BY id LIMIT 2) t WHERE t.id > 4
WITH t AS (SELECT * FROM news) SELECT title FROM t ORDER BY id
WITH news AS (SELECT 1 AS id) SELECT * FROM news
WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 5) SELECT v FROM n
SELECT id FROM news UNION SELECT id FROM comment ORDER BY 1
SELECT id FROM news UNION ALL SELECT id FROM comment ORDER BY 1
SELECT id FROM news EXCEPT SELECT id FROM comment
SELECT id FROM news INTERSECT SELECT id FROM comment
SELECT title, row_number() OVER (ORDER BY id) AS n FROM news ORDER BY id
SELECT title, count(*) OVER (PARTITION BY category) FROM news ORDER BY id
SELECT title, lag(title) OVER w FROM news WINDOW w AS (ORDER BY id) ORDER BY id
SELECT count(*) FILTER (WHERE id > 4) FROM news
SELECT CASE WHEN id = 4 THEN 'four' ELSE id END FROM news ORDER BY id
SELECT iif(id = 4, 'a', 'b'), coalesce(author, 'nobody'), nullif(id, 4) FROM news ORDER BY id
SELECT upper(title), length(title), substr(title, 2), replace(title, 'f', 'F') FROM news ORDER BY id
SELECT typeof(id), typeof(title), typeof(body), typeof(price) FROM news ORDER BY id
SELECT id || '', id + 0.5, -id, ~id, id % 3, id / 2, id << 1 FROM news ORDER BY id
SELECT CAST(id AS TEXT), CAST(title AS INTEGER), CAST('4' AS REAL) FROM news ORDER BY id
SELECT body, hex(body), price FROM news ORDER BY id
SELECT x'00ff41', '', NULL, 1, -1, 1.5, 1e300, 9223372036854775807
SELECT 9223372036854775808, 1e0, 0x10, .5, 2.0
SELECT 1 = 1, 1 = 2, NULL = NULL, TRUE, FALSE, 'a' < 'b'
SELECT 'a' COLLATE NOCASE = 'A', 'a' = 'A'
SELECT date('2024-02-29', '+1 year'), strftime('%Y', '2020-01-01')
SELECT date('now') >= '2020-01-01'
SELECT CURRENT_TIMESTAMP > '2020'
SELECT abs(random()) >= 0
SELECT json_extract('{"a": [1, 2]}', '$.a[1]')
SELECT value FROM json_each('[1, "b", null, 2.5]')
SELECT rowid, _rowid_, oid FROM news ORDER BY id
SELECT * FROM news ORDER BY author COLLATE NOCASE, id
SELECT * FROM named ORDER BY id
SELECT title FROM named WHERE id = 4
SELECT * FROM pair WHERE a = 1 AND b = 'x'
SELECT * FROM pair ORDER BY a, b
SELECT (a, b) = (1, 'x') FROM pair ORDER BY a, b
SELECT * FROM pair WHERE (a, b) IN (VALUES (1, 'x'), (2, 'y')) ORDER BY a
VALUES (1, 'a'), (2, NULL)
SELECT 1 WHERE 0
SELECT 1; SELECT 2
SELECT 1;
SELECT 1 -- behind it a comment
/* before it */ SELECT 1 /* in it */ + 1
SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'larder%' ORDER BY name
SELECT * FROM pragma_table_info('news')
PRAGMA table_info(news)
PRAGMA foreign_keys
EXPLAIN QUERY PLAN SELECT * FROM news WHERE id = 4
SELECT changes() >= 0, last_insert_rowid() >= 0
SELECT * FROM nothing
SELECT nothing FROM news
SELECT * FROM news WHERE
SELECT * FROM news WHERE id = (
SELECT nothing(1)
SELECT abs('a', 'b')
SELECT abs(-9223372036854775808)
SELECT sum(v) FROM (SELECT 9223372036854775807 AS v UNION ALL SELECT 1)
SELECT json('{')
SELECT * FROM news WHERE id = 4 UNION SELECT id FROM comment
SELECT id FROM news, comment
SELECT 'never closed
SELECT * FROM news WHERE id = # 4
NO STATEMENT AT ALL
SELECT a.* FROM news
SELECT * FROM news JOIN comment ON nothing = 1
SELECT title FROM news LIMIT 'a'
SELECT title FROM news ORDER BY 9
