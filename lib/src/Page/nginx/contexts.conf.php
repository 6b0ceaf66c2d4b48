<?php declare(strict_types=1) ?>
<?php
/**
 * How nginx finds a visitor's context; empty: anonymous.
 *
 * nginx has one `$secure_link` in a request, and the site's own locations may use it for links of their own. So it
 * counts only if it was computed by the directives of context.conf.php: they alone make nginx read the map `proof`,
 * which takes the context out of the cookie.
 *
 * @var Larder\Page\NginxTemplates $this
 */

use Larder\Page\NginxText;

$name = $this->name;
$contexts = $this->site->visitors->contexts;
?>
<?php if ($contexts !== null): ?>

# The context of a visitor: that of the cookie, if it is there once, in its one form, and signed.
map $http_cookie $<?= $name ?>_signed {
    default "";
    <?= NginxText::expression($contexts->twice()) ?> "";
    <?= NginxText::expression($contexts->expression($name . '_')) ?> "$<?= $name ?>_seal,$<?= $name ?>_ends";
}
# The secrets, which larder contexts:secret makes and larder contexts:revoke replaces.
map $<?= $name ?>_made $<?= $name ?>_secret {
    default "";
    include <?= $contexts->secrets ?>;
}
# Nothing but Larder's own secure_link_md5 reads it, and with a secret that is accepted.
map "$<?= $name ?>_secret:$<?= $name ?>_text" $<?= $name ?>_proof {
    default "";
    "~^[0-9a-f]{64}:(?<<?= $name ?>_read>.+)$" "";
}
map "$secure_link:$<?= $name ?>_read" $<?= $name ?>_context {
    default "";
    "~^1:." $<?= $name ?>_read;
}
<?php endif ?>
