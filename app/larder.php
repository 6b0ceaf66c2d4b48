<?php

declare(strict_types=1);

/** The site as Larder knows it: `larder --site=app/larder.php …` and public/index.php read the same. */
return (new App\Configuration(getenv()))->site();
